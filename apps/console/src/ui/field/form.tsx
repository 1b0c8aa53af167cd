import type { ComponentProps, ReactNode } from 'react'

/** A column of fields. The browser's validation is off: the fields show their own messages. */
export const Form = ({ children, ...rest }: Omit<ComponentProps<'form'>, 'className'>) => (
  <form noValidate {...rest} className="grid gap-5">
    {children}
  </form>
)

/** The buttons of a form; the submit button comes first. */
export const FormActions = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-2 pt-1">{children}</div>
)
