/** Shows the chosen design in the frame as soon as it is chosen. */
export const startDesignPreview = (): void => {
  const form = document.querySelector<HTMLFormElement>('[data-design]')
  const frame = document.querySelector<HTMLIFrameElement>('iframe[name=preview]')
  const button = form?.querySelector<HTMLButtonElement>('[data-preview]')
  if (!form || !frame || !button) return
  button.hidden = true
  const address = new URL(frame.src)
  form.addEventListener('change', () => {
    const fields = new FormData(form)
    for (const name of ['design', 'accent'])
      address.searchParams.set(name, String(fields.get(name) ?? ''))
    // Not `src`, which would add a step to the browser's history.
    frame.contentWindow?.location.replace(address)
  })
}
