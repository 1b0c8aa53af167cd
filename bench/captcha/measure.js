/**
 * Runs the work. Returns its result, its duration and the longest stall of the page, in
 * milliseconds. The timer of an idle page fires about every 4 ms.
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
  const duration = performance.now() - started
  turn()
  clearInterval(timer)
  return { result, duration, stall }
}
