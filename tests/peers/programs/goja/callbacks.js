// Array.prototype.reduce is written in Go.
const l = Array.from({ length: 10000 }, (_, i) => i);
function go(n) {
  let s = 0;
  for (let i = 0; i < n; i++) s += l.reduce((a, x) => a + x, 0);
  return s;
}
go(1000);
