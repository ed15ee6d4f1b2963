import './public.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PublicPage } from './PublicPage.tsx';

// The brand's colour; the server gives one on which white text can be read.
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
