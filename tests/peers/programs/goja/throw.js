function f(x) { throw { value: x }; }
function go(n) {
  let s = 0;
  for (let i = 0; i < n; i++) {
    try { f(i); } catch (e) { s += e.value + 1; }
  }
  return s;
}
go(1000000);
