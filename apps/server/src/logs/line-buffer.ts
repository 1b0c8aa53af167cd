const newline = 0x0a
/** UTF-8 has at most three bytes for a UTF-16 code unit. */
const maxBytesOfUnit = 3
const firstSize = 1024
/** How many times larger than its lines a buffer may be to be reused. */
const maxSpareLength = 8

/**
 * Lines that wait to be written, as bytes. A busy gateway has ten thousand of them at a time: as
 * strings they cost more time in the garbage collector than it takes to create them.
 */
export class LineBuffer {
  #bytes = Buffer.allocUnsafe(firstSize)
  #length = 0
  #count = 0

  /** The number of lines. */
  get count(): number {
    return this.#count
  }

  /** Adds a line, which ends with its only newline; returns its bytes. */
  add(line: string): number {
    const needed = this.#length + line.length * maxBytesOfUnit
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#length)
      this.#bytes = larger
    }
    const size = this.#bytes.write(line, this.#length)
    this.#length += size
    this.#count++
    return size
  }

  /** True if the buffer is full enough that the next lines may need its size, too. */
  get isWorthReuse(): boolean {
    return this.#length * maxSpareLength >= this.#bytes.length
  }

  /** Empties the buffer for other lines. */
  clear(): void {
    this.#length = 0
    this.#count = 0
  }

  /** The lines up to the first that does not fit: a later, shorter line would hide the gap. */
  within(room: number): { bytes: Buffer; count: number } {
    if (this.#length <= room)
      return { bytes: this.#bytes.subarray(0, this.#length), count: this.#count }
    // `lastIndexOf` counts a negative offset from the end.
    const end = room > 0 ? this.#bytes.lastIndexOf(newline, room - 1) + 1 : 0
    const bytes = this.#bytes.subarray(0, end)
    let count = 0
    for (
      let index = bytes.indexOf(newline);
      index !== -1;
      index = bytes.indexOf(newline, index + 1)
    )
      count++
    return { bytes, count }
  }
}
