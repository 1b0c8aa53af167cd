/** Why a picture is not stored. */
export type PictureProblem =
  | 'signed_out'
  | 'unreadable'
  | 'unsupported'
  | 'too_large'
  | 'too_many'
  | 'no_space'
  | 'failed'
