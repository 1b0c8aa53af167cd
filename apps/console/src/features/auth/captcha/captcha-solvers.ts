import type { CaptchaPart, CaptchaSolver } from './captcha-search.ts'

const mostSolvers = 4

/** A worker that searches one part of the range. */
function startSolver(): CaptchaSolver {
  const worker = new Worker(new URL('./captcha.worker.ts', import.meta.url), { type: 'module' })
  // Listens from the start: a worker whose code cannot be loaded fails before it is given its part.
  const answer = new Promise<number | null>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<number | null>) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message || 'The captcha worker failed'))
  })
  // Told to whoever calls `solve`; before that a failure is no one's yet.
  answer.catch(() => undefined)
  return {
    solve: (part: CaptchaPart) => {
      worker.postMessage(part)
      return answer
    },
    stop: () => worker.terminate(),
  }
}

/** Workers for one search, one for each processor, at most four. `searchCaptcha` stops them. */
export const startSolvers = () =>
  Array.from({ length: Math.min(navigator.hardwareConcurrency || 1, mostSolvers) }, startSolver)
