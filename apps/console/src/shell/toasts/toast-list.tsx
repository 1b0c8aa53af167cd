import { m } from '@slipway/phrases'
import X from 'lucide-react/icons/x'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type AlertKind, alertIcons } from '../../ui/alert.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useLocale } from '../language/locale.ts'
import { dismissToast, renewToasts, type Toast } from './toasts.ts'

const tones: Record<AlertKind, string> = {
  success: 'text-success',
  info: 'text-info',
  failure: 'text-danger',
}

/**
 * True while the navigation has a visible focus: the toasts then show below it, as they must not
 * cover the focused element (WCAG 2.2, 2.4.11).
 */
function useIsNavigationFocused(list: RefObject<HTMLElement | null>) {
  const [isFocused, setIsFocused] = useState(false)
  useEffect(() => {
    function update() {
      const focused = document.activeElement
      const isInHeader = list.current?.closest('header')?.contains(focused)
      setIsFocused(
        Boolean(
          isInHeader && focused?.matches(':focus-visible') && !list.current?.contains(focused),
        ),
      )
    }
    update()
    document.addEventListener('focusin', update)
    document.addEventListener('focusout', update)
    return () => {
      document.removeEventListener('focusin', update)
      document.removeEventListener('focusout', update)
    }
  }, [list])
  return isFocused
}

/** The visible toasts, side by side if there is room. Hover or focus pauses their timers. */
export function Toasts({ toasts }: { toasts: readonly Toast[] }) {
  useLocale()
  const [paused, setPaused] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const isNavigationFocused = useIsNavigationFocused(list)
  // The first toasts waited for this chunk; their time starts when they show.
  useEffect(renewToasts, [])
  // A toast that is removed under the pointer fires no leave event.
  if (paused && toasts.length === 0) setPaused(false)
  function resume() {
    setPaused(false)
    renewToasts()
  }
  return (
    <ol
      ref={list}
      className={classNames(
        'absolute right-4 left-4 flex flex-row-reverse flex-wrap gap-2',
        isNavigationFocused ? 'top-full mt-2' : 'top-1.5',
      )}
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={resume}
      onFocus={() => setPaused(true)}
      onBlur={resume}
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
      <Icon className={classNames('size-4 shrink-0', tones[toast.kind])} aria-hidden />
      <p className="min-w-0 flex-1 py-1 wrap-anywhere">{toast.title}</p>
      <IconButton icon={X} label={m.shell_dismiss()} onClick={() => dismissToast(toast.id)} />
    </li>
  )
}
