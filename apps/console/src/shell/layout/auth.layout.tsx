import { Outlet } from '@tanstack/react-router'
import { LightLayout } from './centered.layout.tsx'

/** The auth pages: one card in the middle. */
export const Page = () => (
  <LightLayout>
    <Outlet />
  </LightLayout>
)
