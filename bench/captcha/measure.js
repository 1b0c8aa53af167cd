/**
 * Runs the work; gives its result, how long it took, and the longest time in which the page did
 * nothing else, both in milliseconds. An idle page has about 4 ms between two turns of this timer.
 */
export async function measure(work) {
  let turned = performance.now()
  let stall = 0
  const turn = () => {
    const now = performance.now()
    stall = Math.max(stall, now - turned)
    turned = now
  }
  const timer = setInterval(turn, 4)
  const started = performance.now()
  const result = await work()
  const took = performance.now() - started
  turn()
  clearInterval(timer)
  return { result, took, stall }
}
