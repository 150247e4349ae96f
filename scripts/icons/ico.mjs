/**
 * A Windows icon file out of PNG images of different sizes.
 *
 * Format (Microsoft, "Icons" and "ICONDIR"): a header of 6 bytes (0, type 1, number of images), an entry of 16 bytes for each
 * image (width, height, colours, 0, planes, bits per pixel, size, offset; little endian; 256 is written as 0), then the
 * images. Windows Vista and newer take whole PNG files as images.
 */
export function icoFile(images) {
  const header = Buffer.alloc(6 + 16 * images.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(images.length, 4)
  let offset = header.length
  images.forEach(({ size, png }, index) => {
    const at = 6 + 16 * index
    header.writeUInt8(size % 256, at)
    header.writeUInt8(size % 256, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(png.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += png.length
  })
  return Buffer.concat([header, ...images.map(({ png }) => png)])
}
