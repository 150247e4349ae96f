/** Types of icon images whose data is a PNG file, by their size in pixels. A size may be two: large at 1x, smaller at 2x. */
export const ICNS_TYPES = {
  ic07: 128,
  ic08: 256,
  ic09: 512,
  ic10: 1024,
  ic11: 32,
  ic12: 64,
  ic13: 256,
  ic14: 512,
}

/**
 * A macOS icon file. `png(size)` answers the image of a size.
 *
 * Format (Apple, "icns"): the letters `icns` and the length of the file, then for each image its type of four letters, the
 * length including these 8 bytes, and the data; all numbers big endian. `ic11` to `ic14` are the images for dense screens
 * of 16, 32, 128 and 256 points, `ic10` that of 512. The plain 16 and 32 are scaled down from them by the system.
 */
export function icnsFile(png) {
  const images = Object.entries(ICNS_TYPES).map(([type, size]) => chunk(type, png(size)))
  return chunk('icns', Buffer.concat(images))
}

function chunk(type, data) {
  const head = Buffer.alloc(8)
  head.write(type, 0, 'latin1')
  head.writeUInt32BE(8 + data.length, 4)
  return Buffer.concat([head, data])
}
