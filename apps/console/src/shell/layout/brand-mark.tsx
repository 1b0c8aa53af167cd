import { Mark } from '../../ui/mark.tsx'
import { brandName } from '../page/document-title.ts'

export const brandClass =
  'control-height inline-flex items-center gap-2 rounded-md text-base font-semibold tracking-tight'

export const BrandMark = () => (
  <>
    <Mark />
    <span className="max-[22rem]:sr-only">{brandName}</span>
  </>
)
