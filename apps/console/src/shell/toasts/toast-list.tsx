import { m } from '@slipway/phrases'
import X from 'lucide-react/icons/x'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { alertIconColors, alertIcons } from '../../ui/alert.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useLocale } from '../language/locale.ts'
import { dismissToast, renewToasts, type Toast } from './toasts.ts'

/** The distance between the navigation, or the page's heading, and the toasts; in pixels. */
const distance = 8

/** The distance of the page's content from the right edge of the window: `NavigationFrame`. */
const pageEdge = 'max(1rem, 50% - 34.5rem)'

/**
 * Keeps the list below the page's heading and its buttons, while they are in view, and below the
 * navigation.
 */
function useBelowHeading(list: RefObject<HTMLElement | null>, hasToasts: boolean) {
  useLayoutEffect(() => {
    if (!hasToasts) return
    function place() {
      const navigation = list.current?.closest('header')?.getBoundingClientRect().bottom ?? 0
      const heading = document.querySelector('main header')?.getBoundingClientRect().bottom ?? 0
      // A long name may fill the window.
      const below = Math.min(Math.max(0, heading - navigation), innerHeight / 2)
      list.current?.style.setProperty('margin-top', `${below + distance}px`)
    }
    place()
    addEventListener('scroll', place, { passive: true })
    addEventListener('resize', place)
    // The heading moves when the page changes.
    const observer = new MutationObserver(place)
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    return () => {
      removeEventListener('scroll', place)
      removeEventListener('resize', place)
      observer.disconnect()
    }
  }, [list, hasToasts])
}

/** The visible toasts, the newest first. Hover or focus pauses their timers. */
export function Toasts({ toasts }: { toasts: readonly Toast[] }) {
  useLocale()
  const [isHovered, setIsHovered] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const paused = isHovered || hasFocus
  const list = useRef<HTMLOListElement>(null)
  useBelowHeading(list, toasts.length > 0)
  // The first toasts waited for this chunk, too; their time starts when they show.
  useEffect(() => {
    if (!paused) renewToasts()
  }, [paused])
  // A toast that is removed under the pointer fires no leave event, and a focused one no blur.
  if (isHovered && toasts.length === 0) setIsHovered(false)
  useEffect(() => setHasFocus(!!list.current?.contains(document.activeElement)))
  return (
    <ol
      ref={list}
      className="absolute top-full left-4 flex flex-col-reverse items-end gap-2"
      style={{ right: pageEdge }}
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      onFocus={() => setHasFocus(true)}
      onBlur={() => setHasFocus(false)}
    >
      {toasts.map((toast) => (
        <ToastView key={toast.id} toast={toast} paused={paused} />
      ))}
    </ol>
  )
}

function ToastView({ toast, paused }: { toast: Toast; paused: boolean }) {
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => dismissToast(toast.id), toast.expiresAt - Date.now())
    return () => clearTimeout(timer)
  }, [paused, toast.id, toast.expiresAt])

  const Icon = alertIcons[toast.kind]
  return (
    <li className="pointer-events-auto flex w-full items-center gap-2 rounded-md border border-line bg-raised sm:w-96 py-1 pr-1 pl-3 elevated">
      <Icon className={classNames('size-4 shrink-0', alertIconColors[toast.kind])} aria-hidden />
      <p className="min-w-0 flex-1 py-1 wrap-anywhere">{toast.title}</p>
      <IconButton icon={X} label={m.shell_dismiss()} onClick={() => dismissToast(toast.id)} />
    </li>
  )
}
