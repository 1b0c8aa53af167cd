/**
 * Runs the work. Returns its result, its duration and the longest stall of the page, in
 * milliseconds. The timer of an idle page fires about every 4 ms.
 */
export async function measure(work) {
  let lastTick = performance.now()
  let stall = 0
  const tick = () => {
    const now = performance.now()
    stall = Math.max(stall, now - lastTick)
    lastTick = now
  }
  const timer = setInterval(tick, 4)
  const started = performance.now()
  const result = await work()
  const duration = performance.now() - started
  tick()
  clearInterval(timer)
  return { result, duration, stall }
}
