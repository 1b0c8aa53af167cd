import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'

/** A function for a long text, which is made when it is copied. */
type Text = string | (() => string)

/** Copies a text, and has the outcome for 2 seconds. */
export function useCopy(text: Text) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(null), 2000)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () =>
    void navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    )
  return { outcome, copy, icon: outcome === 'copied' ? Check : Copy }
}

/** Copies a text and confirms it for 2 seconds, to screen readers too. */
export function CopyButton({
  text,
  texts,
}: {
  text: Text
  texts: { copy: string; copied: string; failed: string }
}) {
  const { outcome, copy, icon } = useCopy(text)
  // The clipboard exists on secure pages only.
  if (!navigator.clipboard) return null
  return (
    <>
      <IconButton icon={icon} label={texts.copy} onClick={copy} />
      <span role="status" className={outcome === 'failed' ? 'text-danger' : 'sr-only'}>
        {outcome ? texts[outcome] : ''}
      </span>
    </>
  )
}
