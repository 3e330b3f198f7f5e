function makeCounter() {
  let n = 0;
  return () => { n = n + 1; return n; };
}
const c = makeCounter();
function run(k) {
  for (let i = 0; i < k; i++) c();
  return c();
}
run(20000000);
