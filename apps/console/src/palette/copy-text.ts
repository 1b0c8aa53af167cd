import { m } from '@slipway/phrases'
import { showToast } from '../shell/toasts/toasts.ts'

export const copyText = (text: string) =>
  navigator.clipboard.writeText(text).then(
    () => showToast('success', m.palette_address_copied()),
    () => showToast('failure', m.shell_copy_failed()),
  )
