const baseClass =
  'rounded-md text-accent underline-offset-4 hover:underline pointer-coarse:-mx-1 pointer-coarse:px-1'

/** The classes of a link in a text. On touch screens its tap target is higher than its line. */
export const linkClass = `${baseClass} pointer-coarse:-my-3.5 pointer-coarse:py-3.5`

/** The classes of a link beside a label. Its tap target fits between the controls. */
export const labelLinkClass = `${baseClass} pointer-coarse:-mt-4.75 pointer-coarse:inline-block pointer-coarse:pt-4.75 pointer-coarse:pb-1.25`
