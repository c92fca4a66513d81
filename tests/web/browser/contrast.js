// Measures contrast in a picture of a page: in each box between its most common colour and the one that differs most from it.
async ({ picture, boxes, least }) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const drawing = canvas.getContext("2d", { willReadFrequently: true });
  drawing.drawImage(image, 0, 0);
  const linear = (value) => (value <= 10.31 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

  return boxes.map(({ x, y, width, height }) => {
    const { data } = drawing.getImageData(Math.round(x), Math.round(y), Math.max(1, Math.round(width)), Math.max(1, Math.round(height)));
    const bins = new Map();
    for (let i = 0; i < data.length; i += 4) {
      const key = [0, 1, 2].map((part) => data[i + part] >> 3).join();
      const bin = bins.get(key) ?? { count: 0, sum: [0, 0, 0] };
      bin.count += 1;
      bin.sum = bin.sum.map((all, part) => all + data[i + part]);
      bins.set(key, bin);
    }
    const found = [...bins.values()].map(({ count, sum }) => ({ count, light: light(sum.map((all) => all / count)) })).sort((a, b) => b.count - a.count);
    const common = found.filter(({ count }) => count >= Math.max(3, least * data.length / 4));
    return Math.max(...common.map((bin) => contrast(bin.light, found[0].light)), 1);
  });
}
