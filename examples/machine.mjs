// A program that plays at a table in the browser, over WebSocket, without any package (docs/machines.md).
//   node machine.mjs https://azulejos.example.org/t/TABLE TOKEN      (Node 20: node --experimental-websocket machine.mjs …)
const [table, token] = process.argv.slice(2);
const socket = new WebSocket(`${table.replace(/^http/, "ws")}/program/live`);

socket.onopen = () => socket.send(`token ${token}`);
socket.onmessage = ({ data }) => {
  for (const line of data.split("\n")) {
    const words = line.split(" ");
    if (words[0] === "gameover") console.log(line);
    if (words[0] !== "go") continue; // go id NUMBER searchmoves MOVE MOVE …
    const moves = words.slice(words.indexOf("searchmoves") + 1);
    socket.send(`bestmove id ${words[2]} ${moves[Math.floor(Math.random() * moves.length)]}`);
  }
};
