import type { ComponentProps, ReactNode } from 'react'

/** A column of fields. The browser's validation is off: the fields show their own messages. */
export const Form = ({ children, ...rest }: Omit<ComponentProps<'form'>, 'className'>) => (
  <form noValidate {...rest} className="flex flex-col gap-5">
    {children}
  </form>
)

/**
 * The buttons of a form; the submit button comes first. In a dialog they are at the right, the
 * submit button last, as in a confirmation.
 */
export const FormActions = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-2 pt-1 in-[[role=dialog]]:flex-row-reverse">
    {children}
  </div>
)
