/** The classes of a link in a text. On touch screens its target is higher than its line. */
export const linkClass =
  'rounded-md text-accent underline-offset-4 hover:underline pointer-coarse:-mx-1 pointer-coarse:-my-3.5 pointer-coarse:px-1 pointer-coarse:py-3.5'
