/* SPDX-License-Identifier: BSD-3-Clause */
/* No blank where C needs none: replaced or removed text must not join its neighbours. */
#include "check.h"

shared[2]int a[2*THREADS],*shared first;
const shared[4]int*e;
int shared[2]*c;
static shared void*any=&a[1],*const fixed=&a[1];
typedef shared void*generic;
typedef shared[]char*string;
static shared void*pass(shared void*p,shared const void*q){return p?p:(shared void*)q;}
static int old(p,q)shared void*p;shared[2]int q[];{return p==q;}
static struct{shared void*v,*w[2];shared[2]int*p;}all;

int main(void)
{
	int sum=0,i;
	upc_forall(i=0;i<2*THREADS;i++;&a[i])a[i]=i;
	upc_forall(i=0;i<2*THREADS;i++;i)sum++;
	upc_forall(i=0;i<2*THREADS;i++;continue)sum++;
	upc_forall(i=0;i<THREADS;i++;i)upc_forall(int j=0;j<2;j++;j)sum++;
	upc_barrier(1);
	upc_notify+2;upc_wait+2;
	if(MYTHREAD)upc_fence;else upc_fence;
	CHECK(sum==2+2*THREADS+2);
	for(i=0;i<2*THREADS;i++)CHECK(a[i]==i);
	shared void*p=&a[1];
	for(shared void*q=p;q;q=NULL)CHECK(q==any&&q==fixed);
	generic g=i?p:NULL;
	g=i?pass(g,NULL):0;
	CHECK(g==p&&old(g,a+1)&&!old(p,a));
	all.v=all.w[1]=p,all.p=(shared[2]int*)p;
	CHECK(all.v==all.w[1]&&*all.p==1&&upc_threadof(all.p)==0);
	string s=(string)upc_alloc(sizeof(char[2]));
	s[1]='a',c=a,e=NULL;
	CHECK(s[1]=='a'&&*c==0&&!e&&sizeof(shared void*)==8&&sizeof a/sizeof*a==2*THREADS);
	CHECK(upc_blocksizeof(shared[2]int)==2&&upc_blocksizeof a==2&&upc_localsizeof a==8);
	if(!MYTHREAD)first=a;
	upc_barrier;
	CHECK(first==a&&first[1]==1);
	return failures!=0;
}
