/** Caches the last result: the requests of a page follow each other, with the same texts. */
export function cacheLast<Result>(compute: (text: string) => Result): (text: string) => Result {
  let last: { text: string; result: Result } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, result: compute(text) }
    return last.result
  }
}
