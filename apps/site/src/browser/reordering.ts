/** Lets the pages be dragged into another order; the buttons do the same. */
export const startReordering = (): void => {
  const list = document.querySelector<HTMLElement>('[data-order]')
  const form = document.querySelector<HTMLFormElement>('[data-order-form]')
  if (!list || !form) return
  const rows = () => [...list.querySelectorAll<HTMLElement>('[data-page]')]
  const ids = () => rows().map(({ dataset }) => dataset.page)
  const initialOrder = ids().join()
  let dragged: HTMLElement | null = null

  for (const row of rows()) {
    row.draggable = true
    row.addEventListener('dragstart', () => {
      dragged = row
      row.classList.add('dragged')
    })
    row.addEventListener('dragover', (event) => {
      if (!dragged) return
      event.preventDefault()
      if (dragged === row) return
      const isAfter = rows().indexOf(dragged) < rows().indexOf(row)
      row[isAfter ? 'after' : 'before'](dragged)
    })
    row.addEventListener('drop', (event) => event.preventDefault())
    row.addEventListener('dragend', () => {
      row.classList.remove('dragged')
      dragged = null
      const order = ids().join()
      if (order === initialOrder) return
      const field = form.elements.namedItem('order') as HTMLInputElement
      field.value = order
      form.requestSubmit()
    })
  }
}
