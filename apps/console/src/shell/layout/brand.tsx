import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { BrandMark, brandClass } from './brand-mark.tsx'

export const Brand = () => (
  <Link to={paths.home()} className={brandClass}>
    <BrandMark />
  </Link>
)
