import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { type ChosenItems, itemsOfDrop } from './chosen-items.ts'

/**
 * Accepts files that are dropped anywhere on the page, which the browser would otherwise open, and
 * anything that is dropped on `zone`. True while it is dragged over the page.
 */
export function usePageDrop(
  zone: RefObject<HTMLElement | null>,
  { isBusy, onDrop }: { isBusy: boolean; onDrop: (items: ChosenItems) => void },
) {
  const [isDragging, setDragging] = useState(false)
  const isAccepted = ({ dataTransfer, target }: DragEvent) =>
    dataTransfer?.types.includes('Files') || zone.current?.contains(target as Node | null)

  const onOver = useEffectEvent((event: DragEvent) => {
    if (!isAccepted(event)) return
    event.preventDefault()
    if (isBusy && event.dataTransfer) event.dataTransfer.dropEffect = 'none'
    setDragging(!isBusy)
  })
  const onLeave = useEffectEvent(({ relatedTarget }: DragEvent) => {
    // Null when the pointer leaves the window; otherwise the element that it enters.
    if (relatedTarget === null) setDragging(false)
  })
  const onDropped = useEffectEvent((event: DragEvent) => {
    setDragging(false)
    if (!isAccepted(event) || !event.dataTransfer) return
    event.preventDefault()
    onDrop(itemsOfDrop(event.dataTransfer.items))
  })

  useEffect(() => {
    const over = (event: DragEvent) => onOver(event)
    const leave = (event: DragEvent) => onLeave(event)
    const drop = (event: DragEvent) => onDropped(event)
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isDragging
}
