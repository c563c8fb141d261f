/** Loads the form of a study once it is used, or at once where the address fills it in. */
const element = document.getElementById("study");
if (element !== null) {
  let isLoading = false;
  const load = () => {
    if (isLoading) return;
    isLoading = true;
    void import("./study-island.tsx").then(({ showStudy }) => showStudy(element));
  };
  for (const event of ["pointerover", "focusin", "touchstart"] as const)
    element.addEventListener(event, load, { once: true, passive: true });
  if (location.search !== "") load();
}
