import type { CaptchaPart, CaptchaSolver } from './captcha-search.ts'

const maxSolvers = 4

function startSolver(): CaptchaSolver {
  const worker = new Worker(new URL('./captcha.worker.ts', import.meta.url), { type: 'module' })
  // Listens from the start: a worker whose script fails to load errors before it receives its part.
  const result = new Promise<number | null>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<number | null>) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message || 'The captcha worker failed'))
  })
  // `solve` reports the failure; until then it must not count as an unhandled rejection.
  result.catch(() => undefined)
  return {
    solve: (part: CaptchaPart) => {
      worker.postMessage(part)
      return result
    },
    stop: () => worker.terminate(),
  }
}

/** Starts one worker per processor, at most four. `searchCaptcha` stops them. */
export const startSolvers = () =>
  Array.from({ length: Math.min(navigator.hardwareConcurrency || 1, maxSolvers) }, startSolver)
