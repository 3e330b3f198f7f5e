function sum(n) {
  let acc = 0;
  for (let i = 0; i < n; i++) acc += i;
  return acc;
}
sum(100000000);
