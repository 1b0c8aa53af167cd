const newline = 0x0a
/** UTF-8 has at most three bytes for a UTF-16 code unit. */
const maxBytesOfUnit = 3
const firstSize = 1024
/** A buffer is reused up to this many times the size of its lines. */
const maxSpareLength = 8

/**
 * Lines to write, as bytes: a busy gateway has ten thousand at a time, and as strings they cost the
 * garbage collector more time than their creation.
 */
export class LineBuffer {
  #bytes = Buffer.allocUnsafe(firstSize)
  #length = 0
  #count = 0

  get count(): number {
    return this.#count
  }

  /** `line` ends with its only newline; returns its size in bytes. */
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

  get isWorthReuse(): boolean {
    return this.#length * maxSpareLength >= this.#bytes.length
  }

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
