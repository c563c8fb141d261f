/** Preloaded: the system sets no priority, as the filter of a container may have it. */
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

os.setPriority = () => {
  throw new Error("uv_os_setpriority returned EPERM (operation not permitted)");
};
syncBuiltinESMExports();
