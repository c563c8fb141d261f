import { Channel, type ChannelMessage } from "./channel.ts";

/** The backtest process's end of the channel to the server that started it, which may call these functions. */
export function serverChannel(functions: object): Channel {
  const send = (message: ChannelMessage) => {
    if (process.connected) process.send?.(message, () => {});
  };
  const channel = new Channel(send, functions);
  process.on("message", (message: ChannelMessage) => channel.received(message));
  if (process.connected) process.once("disconnect", () => channel.close());
  else channel.close();
  return channel;
}
