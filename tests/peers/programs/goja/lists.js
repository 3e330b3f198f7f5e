const l = Array.from({ length: 1000000 }, (_, i) => i);
function go() {
  return l.map(x => x * 2).filter(x => x % 3 === 0).reduce((a, x) => a + x, 0);
}
go();
go();
