import { m } from '@slipway/phrases'

/** The texts of the primitives that need more than a label. */
export const passwordTexts = () => ({
  show: m.shell_show_password(),
  hide: m.shell_hide_password(),
})

export const copyTexts = () => ({
  copy: m.shell_copy(),
  copied: m.shell_copied(),
  failed: m.shell_copy_failed(),
})
