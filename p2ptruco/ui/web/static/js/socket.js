// The objects of front.md over a WebSocket: what the table says, and what we say to it.
//
// A link that was lost is made again for as long as the page is open; the snapshot that comes first
// then says everything once more.

const SOON = 400;
const LATE = 5000;

/** `heard` gets each object; `gone` whether the link is down: "", "lost" or "taken_over". */
export function connect({ heard, gone }) {
  let socket = null;
  let pause = SOON;
  let over = false;

  function dial() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/front`);
    socket.addEventListener("open", () => {
      pause = SOON;
      gone("");
    });
    socket.addEventListener("message", (message) => {
      const object = JSON.parse(message.data);
      if (object.taken_over) over = true;
      if ("matches" in object || "error" in object) over = true;
      heard(object);
    });
    socket.addEventListener("close", () => {
      if (over) return;
      gone("lost");
      setTimeout(dial, pause);
      pause = Math.min(LATE, 2 * pause);
    });
  }
  dial();
  return (command) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(command));
  };
}
