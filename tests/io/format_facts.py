#!/usr/bin/env python3
"""Prints the table of tests/io/format_facts.hpp: points, finite points and bounds of every test file.

It shares nothing with burnish, so that the two can be compared. Needs numpy, and for LAZ and COPC laspy with lazrs.
Lines that start with !! are files it cannot read; whether burnish should is decided by hand. Usage: format_facts.py DATA
"""
import numpy as np, struct, sys, os, re
root=os.path.join(sys.argv[1],'')
def ply(b):
    i=b.index(b'end_header'); e=b.index(b'\n',i)+1
    lines=b[:i].decode('latin1').split('\n'); fmt=None; els=[]
    for l in lines:
        w=l.split()
        if not w: continue
        if w[0]=='format': fmt=w[1]
        if w[0]=='element': els.append([w[1],int(w[2]),[]])
        if w[0]=='property': els[-1][2].append(w[1:])
    T={'char':'i1','int8':'i1','uchar':'u1','uint8':'u1','short':'i2','int16':'i2','ushort':'u2','uint16':'u2','int':'i4','int32':'i4','uint':'u4','uint32':'u4','float':'f4','float32':'f4','double':'f8','float64':'f8'}
    if fmt=='ascii':
        rows=[l.split() for l in b[e:].decode('latin1').replace('\r','\n').split('\n') if l.strip()]
        at=0
        for n,c,p in els:
            if n=='vertex':
                names=[q[-1] for q in p]; ix=[names.index(a) for a in 'xyz']
                ts=[q[0] for q in p]
                return np.array([[float(np.float32(r[k])) if ts[k] in('float','float32') else float(r[k]) for k in ix] for r in rows[at:at+c]]).reshape(-1,3)
            at+=c
    o='<' if 'little' in fmt else '>'
    at=e
    for n,c,p in els:
        if any(q[0]=='list' for q in p):
            for _ in range(c):
                for q in p:
                    if q[0]=='list':
                        s=np.dtype(o+T[q[1]]); k=int(np.frombuffer(b,s,1,at)[0]); at+=s.itemsize+k*np.dtype(T[q[2]]).itemsize
                    else: at+=np.dtype(T[q[0]]).itemsize
            continue
        d=np.dtype([(q[1],o+T[q[0]]) for q in p])
        if n=='vertex':
            a=np.frombuffer(b,d,c,at); return np.stack([a[k].astype(float) for k in 'xyz'],1)
        at+=c*d.itemsize
def lzf(s,n):
    out=bytearray(); i=0
    while i<len(s):
        c=s[i]; i+=1
        if c<32: out+=s[i:i+c+1]; i+=c+1
        else:
            l=c>>5
            if l==7: l+=s[i]; i+=1
            r=len(out)-((c&31)<<8)-s[i]-1; i+=1
            for k in range(l+2): out.append(out[r+k])
    assert len(out)==n
    return bytes(out)
def pcd(b):
    i=b.index(b'DATA '); e=b.index(b'\n',i)+1
    h={l.split()[0]:l.split()[1:] for l in b[:e].decode('latin1').split('\n') if l.strip() and l[0]!='#'}
    n=int(h['POINTS'][0]); f=[x.lower() for x in h['FIELDS']]
    ct=[int(c) for c in h.get('COUNT',['1']*len(f))]
    dt=[{'F':'f','I':'i','U':'u'}[t]+s for t,s in zip(h['TYPE'],h['SIZE'])]
    d=h['DATA'][0]
    if d=='ascii':
        a=np.array([[float(x) for x in re.split(r'[\s,]+',l.strip())] for l in b[e:].decode().split('\n') if l.strip()])
        ix=[f.index(k) for k in 'xyz']; v=a[:,ix]
        return v.astype('f4').astype(float) if h['SIZE'][0]=='4' else v
    if d=='binary':
        r=np.frombuffer(b,np.dtype([(k,t,(c,)) for k,t,c in zip(f,dt,ct)]),n,e)
        return np.stack([r[k][:,0].astype(float) for k in 'xyz'],1)
    c,u=struct.unpack_from('<II',b,e); raw=lzf(b[e+8:e+8+c],u); at=0; got={}
    for k,t,m in zip(f,dt,ct):
        z=np.dtype(t).itemsize*m*n; got[k]=np.frombuffer(raw[at:at+z],t); at+=z
    return np.stack([got[k].astype(float) for k in 'xyz'],1)
def las(b):
    off,=struct.unpack_from('<I',b,96); fmt,rl,n=struct.unpack_from('<BHI',b,104)
    if b[25]>=4: n=max(n,struct.unpack_from('<Q',b,247)[0])
    s=np.array(struct.unpack_from('<3d',b,131)); o=np.array(struct.unpack_from('<3d',b,155))
    a=np.frombuffer(b,np.dtype({'names':['p'],'formats':['3<i4'],'offsets':[0],'itemsize':rl}),n,off)['p']
    return a*s+o
def laz(path):
    import laspy
    p=laspy.read(path,laz_backend=laspy.LazBackend.LazrsParallel); return np.stack([np.asarray(p.x),np.asarray(p.y),np.asarray(p.z)],1)
def e57(b):
    import xml.etree.ElementTree as ET
    P=[]
    for i in range(256):
        for _ in range(8): i=i>>1^(0x82F63B78 if i&1 else 0)
        P.append(i)
    for at in range(0,len(b),1024):
        c=0xFFFFFFFF
        for x in b[at:at+1020]: c=P[(c^x)&255]^c>>8
        assert (c^0xFFFFFFFF).to_bytes(4,'big')==b[at+1020:at+1024], 'wrong checksum'
    d=b''.join(b[i:i+1020] for i in range(0,len(b),1024)); log=lambda o:o//1024*1020+o%1024
    xo,xl=struct.unpack_from('<QQ',b,24)
    root=ET.fromstring(re.sub(rb'(</?)(\w+):',rb'\1\2_',d[log(xo):log(xo)+xl])); ns='{http://www.astm.org/COMMIT/E57/2010-e57-v1.0}'
    out=[np.zeros((0,3))]
    num=lambda e:float(e.text or 0) if e is not None else 0.
    for s in root.find(ns+'data3D'):
        p=s.find(ns+'points'); n=int(p.get('recordCount')); fs=list(p.find(ns+'prototype')); at=log(int(p.get('fileOffset')))
        end=at+struct.unpack_from('<Q',d,at+8)[0]; at=log(struct.unpack_from('<Q',d,at+16)[0]); st=[b'']*len(fs)
        while at<end:
            kind,ln,c=struct.unpack_from('<BxHH',d,at)
            if kind==1:
                z=struct.unpack_from('<%dH'%c,d,at+6); q=at+6+2*c
                for k,l in enumerate(z): st[k]+=d[q:q+l]; q+=l
            at+=ln+1
        v={}
        for f,raw in zip(fs,st):
            if f.get('type')=='Float': a=np.frombuffer(raw,'<f4' if f.get('precision')=='single' else '<f8',n).astype(float)
            else:
                lo,hi=int(f.get('minimum')),int(f.get('maximum')); w=(hi-lo).bit_length(); big=int.from_bytes(raw,'little')
                a=np.array([lo+(big>>i*w&(1<<w)-1) for i in range(n)],float)*float(f.get('scale',1))+float(f.get('offset',0))
            v[f.tag.split('}')[-1]]=a
        if 'cartesianX' in v: a=np.stack([v['cartesian'+k] for k in 'XYZ'],1)
        else:
            r,t,e=(v['spherical'+k] for k in ('Range','Azimuth','Elevation'))
            a=np.stack([r*np.cos(e)*np.cos(t),r*np.cos(e)*np.sin(t),r*np.sin(e)],1)
        for k in ('cartesianInvalidState','sphericalInvalidState'):
            if k in v: a[v[k]!=0]=np.nan
        o=s.find(ns+'pose')
        if o is not None:
            w,x,y,z=(num(o.find(f'{ns}rotation/{ns}{k}')) for k in 'wxyz'); u=np.array([x,y,z]); m=w*w+u@u
            a=a+2*np.cross(u,np.cross(u,a)+w*a)/m+[num(o.find(f'{ns}translation/{ns}{k}')) for k in 'xyz']
        out.append(a)
    return np.concatenate(out)
def stl(b):
    n,=struct.unpack_from('<I',b.ljust(84,b'\0'),80)
    if len(b)==84+50*n:
        a=np.frombuffer(b,np.dtype({'names':['v'],'formats':['(3,3)<f4'],'offsets':[12],'itemsize':50}),n,84)['v'].reshape(-1,3)
    else:
        a=np.array([[float(x) for x in l.split()[1:4]] for l in b.decode().split('\n') if l.split()[:1]==['vertex']],'f4').reshape(-1,3)
    return np.unique(a+0.0,axis=0).astype(float)
def obj(b): return np.array([[float(x) for x in l.split()[1:4]] for l in b.decode('latin1').split('\n') if l.split()[:1]==['v']]).reshape(-1,3)
def text(b):
    r=[]
    for l in b.decode('latin1').replace('\r','\n').split('\n'):
        q=[x.strip('"') for x in re.split(r'[\s,;]+',l.strip())]
        try: r.append([float(x) for x in q[:3]])
        except ValueError: pass
    return np.array([x for x in r if len(x)==3])
def ptx(b):
    ls=[l for l in b.decode().split('\n') if l.strip()]; at=0; out=[]
    while at<len(ls):
        c,r=int(ls[at]),int(ls[at+1]); M=np.array([[float(x) for x in ls[at+6+i].split()] for i in range(4)])
        p=np.array([[float(x) for x in l.split()[:3]]+[1] for l in ls[at+10:at+10+c*r]]); at+=10+c*r
        q=(p@M)[:,:3]; q[(p[:,:3]==0).all(1)]=np.nan; out.append(q)
    return np.concatenate(out)
def kitti(b): return np.frombuffer(b,'<f4').reshape(-1,4)[:,:3].astype(float)
def off(b):
    lines=[l.strip() for l in re.sub(r'#.*','',b.decode('latin1')).split('\n') if l.strip()]
    if not re.match('[CN]*OFF',lines[0]): return text(b)
    lines[0]=re.sub('^[CN]*OFF','',lines[0])
    if not lines[0]: lines=lines[1:]
    n=int(lines[0].split()[0]); return np.array([[float(x) for x in l.split()[:3]] for l in lines[1:1+n]])
R={'.ply':ply,'.pcd':pcd,'.las':las,'.laz':laz,'.e57':e57,'.stl':stl,'.obj':obj,'.off':off,'.xyz':text,'.txt':text,'.pwn':text,'.pts':text,'.ptx':ptx,'.bin':kitti}
for d in ('compressed','formats','scans'):
    for p,_,fs in sorted(os.walk(root+d)):
        for f in sorted(fs):
            path=os.path.join(p,f); rel=path[len(root):]; e=os.path.splitext(f)[1].lower()
            try:
                a=R[e](path if e=='.laz' else open(path,'rb').read())
                a=np.asarray(a,float).reshape(-1,3)
                ok=a[np.isfinite(a).all(1)]
                lo=ok.min(0) if len(ok) else np.zeros(3); hi=ok.max(0) if len(ok) else np.zeros(3)
                print(f'    {{"{rel}", {len(a)}, {len(ok)}, {{{", ".join("%.9g"%v for v in lo)}}}, {{{", ".join("%.9g"%v for v in hi)}}}}},')
            except BaseException as x: print(f'!! {rel}: {type(x).__name__} {x}')
