// The line to the server: sends what the player does, hands on what arrives, and comes back by itself.
export class Line {
  constructor(path, on) {
    this.url = new URL(path, location.href);
    this.url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.on = on;
    this.tries = 0;
    this.open();
  }

  open() {
    this.socket = new WebSocket(this.url);
    this.socket.onopen = () => {
      if (this.tries > 0) this.on.back();
      this.tries = 0;
    };
    this.socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      this.on[message.type]?.(message);
    };
    this.socket.onclose = () => {
      if (this.leaving) return;
      this.on.lost();
      this.tries += 1;
      setTimeout(() => this.open(), Math.min(8000, 250 * 2 ** this.tries));
    };
    addEventListener("pagehide", () => { this.leaving = true; });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
