function iter(cr, ci) {
  let zr = 0.0, zi = 0.0, k = 0;
  for (;;) {
    const r2 = zr * zr, i2 = zi * zi;
    if (k >= 50 || r2 + i2 > 4.0) return k;
    zi = 2.0 * zr * zi + ci;
    zr = r2 - i2 + cr;
    k++;
  }
}
function mandel(w, h) {
  let sum = 0;
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++)
      sum += iter(3.0 * x / w - 2.0, 2.0 * y / h - 1.0);
  return sum;
}
mandel(400, 400);
