import { minute } from '@slipway/contract/limits'

/** Saves a file with this name, as a download does. */
export function saveFile(name: string, content: Blob) {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers read the bytes only after the user has chosen a location.
  setTimeout(() => URL.revokeObjectURL(url), minute)
}
