import { getCaptchaChallenge } from '@slipway/contract/captcha'
import type { Bind } from '../../http/binder.ts'
import * as captcha from './captcha.service.ts'

export const routes = (on: Bind) => {
  on(getCaptchaChallenge, (ctx) => captcha.challenge(ctx))
}
