import { Outlet } from '@tanstack/react-router'
import { LightLayout } from './centered.layout.tsx'

/** The pages that are there to be read, by anyone. */
export const Page = () => (
  <LightLayout wide>
    <Outlet />
  </LightLayout>
)
