import { m } from '@slipway/phrases'

export const passwordTexts = () => ({
  show: m.shell_show_password(),
  hide: m.shell_hide_password(),
})
