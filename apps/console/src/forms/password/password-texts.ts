import { m } from '@slipway/phrases'

/** The texts of a password field's button. */
export const passwordTexts = () => ({
  show: m.shell_show_password(),
  hide: m.shell_hide_password(),
})
