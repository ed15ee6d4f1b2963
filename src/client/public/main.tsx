import './public.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PublicPage } from './PublicPage.tsx';

// The brand's colour, adjusted by the server so that white text is readable on it.
const colour = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.content;
if (colour) document.documentElement.style.setProperty('--brand', colour);

const root = document.getElementById('root');
const token = location.pathname.split('/').at(-1) ?? '';
if (root)
  createRoot(root).render(
    <StrictMode>
      <PublicPage token={token} />
    </StrictMode>,
  );
