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
  info: 'text-accent',
  failure: 'text-danger',
}

/**
 * Whether the keyboard is in the navigation: then the toasts hang under it, for nothing may cover what has
 * the focus (WCAG 2.2, 2.4.11).
 */
function useIsInNavigation(list: RefObject<HTMLElement | null>) {
  const [isThere, setIsThere] = useState(false)
  useEffect(() => {
    function look() {
      const focused = document.activeElement
      const isUnder = list.current?.closest('header')?.contains(focused)
      setIsThere(
        Boolean(isUnder && focused?.matches(':focus-visible') && !list.current?.contains(focused)),
      )
    }
    look()
    document.addEventListener('focusin', look)
    document.addEventListener('focusout', look)
    return () => {
      document.removeEventListener('focusin', look)
      document.removeEventListener('focusout', look)
    }
  }, [list])
  return isThere
}

/** The toasts that show, beside each other where there is room. They stay while the pointer or the focus is on them. */
export function Toasts({ toasts }: { toasts: readonly Toast[] }) {
  useLocale()
  const [held, setHeld] = useState(false)
  const list = useRef<HTMLOListElement>(null)
  const isInNavigation = useIsInNavigation(list)
  // The first ones have waited until this code had come, and nobody has seen them yet.
  useEffect(renewToasts, [])
  // A toast that goes away under the pointer says nothing when the pointer leaves it.
  if (held && toasts.length === 0) setHeld(false)
  function release() {
    setHeld(false)
    renewToasts()
  }
  return (
    <ol
      ref={list}
      className={classNames(
        'absolute right-4 left-4 flex flex-row-reverse flex-wrap gap-2',
        isInNavigation ? 'top-full mt-2' : 'top-1.5',
      )}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={release}
      onFocus={() => setHeld(true)}
      onBlur={release}
    >
      {toasts.map((toast) => (
        <ToastView key={toast.id} toast={toast} held={held} />
      ))}
    </ol>
  )
}

function ToastView({ toast, held }: { toast: Toast; held: boolean }) {
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismissToast(toast.id), toast.expiresAt - Date.now())
    return () => clearTimeout(timer)
  }, [held, toast.id, toast.expiresAt])

  const Icon = alertIcons[toast.kind]
  return (
    <li className="pointer-events-auto flex w-full items-center gap-2 rounded-md border border-line bg-raised sm:w-96 py-1 pr-1 pl-3 elevated">
      <Icon className={classNames('size-4 shrink-0', tones[toast.kind])} aria-hidden />
      <p className="min-w-0 flex-1 py-1 wrap-anywhere">{toast.title}</p>
      <IconButton icon={X} label={m.shell_dismiss()} onClick={() => dismissToast(toast.id)} />
    </li>
  )
}
