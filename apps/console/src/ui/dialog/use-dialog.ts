import { useState } from 'react'

/** A dialog about one of several things. It stays about it while it closes, so that its words do too. */
export function useDialog<Subject>() {
  const [subject, setSubject] = useState<Subject | null>(null)
  const [open, setOpen] = useState(false)
  return {
    subject,
    open,
    ask: (about: Subject) => {
      setSubject(about)
      setOpen(true)
    },
    close: () => setOpen(false),
  }
}
