import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { type ChosenItems, itemsOfDrop } from './chosen-items.ts'

/**
 * Takes files that are dropped anywhere on the page, where the browser would open them, and
 * whatever is dropped on `zone`. True while something is dragged.
 */
export function usePageDrop(
  zone: RefObject<HTMLElement | null>,
  { isBusy, onDrop }: { isBusy: boolean; onDrop: (items: ChosenItems) => void },
) {
  const [isDragging, setDragging] = useState(false)
  const isTaken = ({ dataTransfer, target }: DragEvent) =>
    dataTransfer?.types.includes('Files') || zone.current?.contains(target as Node | null)

  const onOver = useEffectEvent((event: DragEvent) => {
    if (!isTaken(event)) return
    event.preventDefault()
    if (isBusy && event.dataTransfer) event.dataTransfer.dropEffect = 'none'
    setDragging(!isBusy)
  })
  const onLeave = useEffectEvent(({ relatedTarget }: DragEvent) => {
    // From one element to another it names the other.
    if (relatedTarget === null) setDragging(false)
  })
  const onDropped = useEffectEvent((event: DragEvent) => {
    setDragging(false)
    if (!isTaken(event) || !event.dataTransfer) return
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
