import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'

/** Copies a text and confirms it for 2 seconds, to screen readers too. */
export function CopyButton({
  text,
  texts,
}: {
  /** A function for a long text, which is made when it is copied. */
  text: string | (() => string)
  texts: { copy: string; copied: string; failed: string }
}) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(null), 2000)
    return () => clearTimeout(timer)
  }, [outcome])

  // The clipboard exists on secure pages only.
  if (!navigator.clipboard) return null
  return (
    <>
      <IconButton
        icon={outcome === 'copied' ? Check : Copy}
        label={texts.copy}
        onClick={() =>
          navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
            () => setOutcome('copied'),
            () => setOutcome('failed'),
          )
        }
      />
      <span role="status" className={outcome === 'failed' ? 'text-danger' : 'sr-only'}>
        {outcome ? texts[outcome] : ''}
      </span>
    </>
  )
}
