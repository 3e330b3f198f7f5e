// Lists are pairs {first, rest}; the empty list is null.
function cons(first, rest) { return { first, rest }; }
function append(a, b) { return a === null ? b : cons(a.first, append(a.rest, b)); }
function ok(row, dist, placed) {
  for (; placed !== null; placed = placed.rest, dist++)
    if (placed.first === row + dist || placed.first === row - dist) return false;
  return true;
}
function oneTo(n) {
  let l = null;
  for (let i = n; i > 0; i--) l = cons(i, l);
  return l;
}
function tryIt(x, y, z) {
  if (x === null) return y === null ? 1 : 0;
  return (ok(x.first, 1, z) ? tryIt(append(x.rest, y), null, cons(x.first, z)) : 0) +
    tryIt(x.rest, cons(x.first, y), z);
}
function nqueens(n) { return tryIt(oneTo(n), null, null); }
nqueens(9);
