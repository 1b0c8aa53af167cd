import { solveCaptcha } from '@slipway/contract/captcha'
import type { CaptchaPart } from './captcha-search.ts'

addEventListener('message', ({ data }: MessageEvent<CaptchaPart>) => {
  postMessage(solveCaptcha(data, data.first, data.last))
})
